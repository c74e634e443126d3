/** Every error code of the admin API, with its status. The list is closed. */
export const adminErrorStatus = {
  INVALID_REQUEST: 400,
  INVALID_SCENARIO: 400,
  ADMIN_TOKEN_REQUIRED: 401,
  HOST_NOT_ALLOWED: 403,
  ORIGIN_NOT_ALLOWED: 403,
  UNKNOWN_CLIENT: 404,
  UNKNOWN_SCENARIO: 404,
  UNKNOWN_CERTIFICATE: 404,
  UNKNOWN_IDENTITY: 404,
  NO_KEY: 404,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  NOTHING_MATCHED: 408,
  CLIENT_EXISTS: 409,
  CERTIFICATE_IN_USE: 409,
  TOO_MANY_CLIENTS: 409,
  TOO_MANY_CERTIFICATES: 409,
  TOO_MANY_STREAMS: 409,
  REPORT_OFF: 409,
  CANNOT_REPEAT: 409,
  KEPT_RUN: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  INTERNAL_SERVER_ERROR: 500,
  CANNOT_ISSUE: 503,
  SHARED_STATE_UNAVAILABLE: 503,
} as const;

/** The codes with which the admin API refuses a request. */
export type AdminErrorCode = keyof typeof adminErrorStatus;

/** The codes with which the guard refuses a request, before it reaches a route. */
export const guardErrorCodes = ["ADMIN_TOKEN_REQUIRED", "HOST_NOT_ALLOWED", "ORIGIN_NOT_ALLOWED"] as const;
