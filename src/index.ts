/// <reference lib="esnext.disposable" preserve="true" />
/**
 * The public API of the package: start a sandbox in this process, or connect to a running one, and use it in tests.
 * @module
 */

export type { AdminErrorCode } from "./admin/error-codes.js";
export type { Duration } from "./base/text/duration.js";
export type {
  ActiveScenario,
  Assumption,
  CheckResult,
  ClientInfo,
  ClockState,
  CountedScenario,
  Exchange,
  ExchangeDetail,
  Handshake,
  Health,
  RegisteredCertificate,
  Report,
  ScenarioSummary,
  Verdict,
} from "./library/answers.js";
export type {
  ApiAnswer,
  ClientHandle,
  ClientReport,
  ClockControl,
  NewCertificateOptions,
  NewClientOptions,
  ReportOptions,
  RequestFilters,
  RequestOptions,
  RotateOptions,
  TlsIdentity,
} from "./library/client-handle.js";
export { connectSandbox } from "./library/connect.js";
export type {
  ScenarioCondition,
  ScenarioDefinition,
  ScenarioFault,
  ScenarioRetryAfter,
  ScenarioRule,
  ScenarioValue,
} from "./library/definition.js";
export { SandboxError, type SandboxErrorCode } from "./library/error.js";
export type { ClientOptions } from "./library/file-options.js";
export type { AssumptionOptions, ConnectOptions, StartOptions } from "./library/options.js";
export type { SandboxHandle, StartedSandbox } from "./library/sandbox-handle.js";
export { startSandbox } from "./library/start.js";
export type { ServerIssuer, ServerRenewal } from "./sandbox/connection/server-certificate.js";
export type { DefectUrls, ServerDefect } from "./sandbox/connection/server-defect.js";
export type { ErrorCode } from "./sandbox/errors.js";
export type { OperationName } from "./sandbox/operations.js";
