import type { SandboxErrorCode } from "./error.js";

/** Errors of a start that a person can fix, by name. Any other error is a bug. */
export const codesOfStart: Readonly<Record<string, SandboxErrorCode>> = {
  SettingError: "INVALID_OPTION",
  FileError: "INVALID_OPTION",
  ListSettingsError: "INVALID_OPTION",
  RegistrationError: "INVALID_OPTION",
  CertsError: "CERTIFICATES_UNUSABLE",
  UnfinishedError: "CERTIFICATES_UNUSABLE",
  ListenError: "CANNOT_LISTEN",
  OpenFilesError: "OPEN_FILES_LIMIT",
  SharedStateError: "SHARED_STATE_UNAVAILABLE",
};
