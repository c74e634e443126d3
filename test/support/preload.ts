// The files of a project share what they have loaded. A sandbox loads these when it first needs them, also in the
// background. If the file that started it ended meanwhile, loading would fail, for every later file as well.
import "../../src/base/yaml/parser.js";
import "../../src/exam/exam.js";
import "../../src/sandbox/pki/authority.js";
import "../../src/sandbox/pki/defective-server.js";
import "../../src/sandbox/pki/environment.js";
import "../../src/sandbox/pki/issue.js";
import "../../src/sandbox/pki/key-pool.js";
import "../../src/sandbox/pki/keys.js";
import "../../src/sandbox/pki/make.js";
import "../../src/sandbox/pki/pkcs12.js";
import "../../src/sandbox/pki/profiles.js";
import "../../src/sandbox/scenarios/compile.js";
import "../../src/sandbox/scenarios/schema.js";
