import { basename, extname } from "node:path";
import { readRegularFile, unreadableBecause, utf8Text } from "../../base/files/regular-file.js";
import type { JsonObject } from "../../base/text/json-object.js";
import { quote } from "../../base/text/printable.js";
import { type ExploreFault, faultOf } from "../../explore/faults.js";
import { SettingError } from "../../sandbox/config/settings.js";
import { parseScenario } from "../../sandbox/scenarios/parse.js";
