import { condemnNobody } from "./condemn-nobody.js";

condemnNobody(100_000, 20_000);
