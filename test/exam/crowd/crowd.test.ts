import { condemnNobody } from "./condemn-nobody.js";

condemnNobody(1, 1000);
