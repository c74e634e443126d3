import { describe } from "vitest";
import { TestSandbox } from "../admin/fixture.js";
import { everyFaultIsRecorded } from "../sandbox/records/every-fault.js";
import { exampleRules } from "../sandbox/records/rules.js";
import { hasRedis, RedisServer } from "./redis-server.js";
import { Replicas } from "./replicas.js";

// The journal in Redis says what that of one process says.
describe.skipIf(!hasRedis)("the records of a replica", () => {
  everyFaultIsRecorded(
    exampleRules.filter(({ isFirst }) => isFirst),
    () => [["the first of three", true]],
    async () => new TestSandbox(await new Replicas((await RedisServer.start()).url).start()),
  );
});
