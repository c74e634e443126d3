import java.util.Map;

/** An answer that is an error. Decide by its code; the message is for people. */
public class ApiException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int status;
  private final String code;
  private final String correlationId;

  ApiException(int status, Map<String, Object> body, String correlationId) {
    super(status + " " + body.get("code") + ": " + body.get("message") + " (correlation ID " + correlationId + ")");
    this.status = status;
    this.code = body.get("code") instanceof String text ? text : "";
    this.correlationId = correlationId;
  }

  public int status() {
    return status;
  }

  /** Empty if the body is not from the service: a proxy may have answered. */
  public String code() {
    return code;
  }

  public String correlationId() {
    return correlationId;
  }
}
