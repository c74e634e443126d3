import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A client with one certificate. Its tokens are bound to that certificate, so each client has its own: an HttpClient has one
 * SSLContext for all its requests. It may be shared by threads.
 */
public final class PaymentsClient {
  /** The maximum number of attempts for a request that fails temporarily. */
  private static final int ATTEMPTS = 4;

  /** For one attempt, the body of the answer included; HttpRequest's own timeout ends with the headers. */
  private static final long TIME_OUT_MILLIS = 5000;

  /** A token must still be valid when it arrives. */
  private static final long EARLY_MILLIS = 10_000;

  /** After these refusals, a walk starts again without a cursor. */
  private static final Set<String> STALE_CURSOR = Set.of("INVALID_CURSOR", "CURSOR_FILTERS_CHANGED");

  private final String url;
  private final String clientId;
  private final Path bundle;
  private final char[] password;
  private byte[] read;
  private HttpClient http;
  private String token;
  private long tokenEnds;

  /** @param bundle a PKCS#12 file with the private key, its certificate, and the CA to trust */
  public PaymentsClient(String url, String clientId, Path bundle, char[] password)
      throws IOException {
    this.url = url;
    this.clientId = clientId;
    this.bundle = bundle;
    this.password = password;
    reload();
  }

  /** Reads the bundle again, once. A new certificate needs new connections, and a token of its own. */
  private synchronized void reload() throws IOException {
    byte[] bytes = Files.readAllBytes(bundle);
    if (Arrays.equals(bytes, read)) return;
    try {
      http = HttpClient.newBuilder().sslContext(contextOf(bytes)).build();
    } catch (GeneralSecurityException error) {
      throw new IOException(bundle + " cannot be used", error);
    }
    read = bytes;
    token = null;
  }

  private SSLContext contextOf(byte[] bytes) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(new ByteArrayInputStream(bytes), password);
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, password);
    // The CA of the bundle replaces the JDK's: no other CA is trusted. HttpClient verifies certificate and host name.
    TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return tls;
  }

  public void ping(Map<String, String> query) throws IOException, InterruptedException {
    get("/v1/ping", query);
  }

  /** Every row of a list, once, in order. With a cursor, the filters are exactly those of the first request. */
  @SuppressWarnings("unchecked")
  public void list(String path, Map<String, String> filters, Consumer<Map<String, Object>> row)
      throws IOException, InterruptedException {
    Set<Object> seen = new HashSet<>();
    Set<String> sent = new HashSet<>();
    String cursor = null;
    boolean restarted = false;
    do {
      Map<String, String> query = new LinkedHashMap<>(filters);
      query.put("pageSize", "5");
      if (cursor != null) query.put("cursor", cursor);
      Map<String, Object> page;
      try {
        page = get(path, query);
      } catch (ApiException error) {
        if (cursor == null || restarted || !STALE_CURSOR.contains(error.code())) throw error;
        restarted = true;
        sent.clear();
        query.remove("cursor");
        page = get(path, query);
      }
      for (Object item : (List<Object>) page.get("items")) {
        Map<String, Object> each = (Map<String, Object>) item;
        // A row appears again after a restart, or if new rows arrived during the walk.
        if (seen.add(each.get("id"))) row.accept(each);
      }
      // A page may be empty; the list ends only when there is no cursor.
      cursor = (String) page.get("nextCursor");
      if (cursor != null && !sent.add(cursor)) throw new IOException(path + " leads in a circle");
    } while (cursor != null);
  }

  /** A GET with a token. After a 401 the token is not valid any more: there is one retry with a new token. */
  public Map<String, Object> get(String path, Map<String, String> query) throws IOException, InterruptedException {
    URI target = URI.create(url + path + "?" + form(query));
    reload();
    String used = accessToken(null);
    HttpResponse<String> answer = send(authorized(target, used));
    if (answer.statusCode() == 401) {
      reload();
      answer = send(authorized(target, accessToken(used)));
    }
    return bodyOf(answer);
  }

  /** The wait that Retry-After requests, as a number or a date (RFC 9110 section 10.2.3): milliseconds. */
  private static long waitOf(String retryAfter) {
    if (retryAfter.matches("[0-9]{1,4}")) return Long.parseLong(retryAfter) * 1000;
    try {
      Instant date = Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(retryAfter));
      return date.toEpochMilli() - System.currentTimeMillis();
    } catch (DateTimeException error) {
      return 0;
    }
  }

  private static HttpRequest.Builder authorized(URI target, String token) {
    return HttpRequest.newBuilder(target).header("Authorization", "Bearer " + token);
  }

  /** The token, from the cache while it is valid. @param refused a token that was refused, and must not be used again */
  private synchronized String accessToken(String refused) throws IOException, InterruptedException {
    if (token != null && !token.equals(refused) && now() < tokenEnds) return token;
    String body = form(Map.of("client_id", clientId, "grant_type", "client_credentials", "scope", "read"));
    long sentAt = now();
    Map<String, Object> issued =
        bodyOf(
            send(
                HttpRequest.newBuilder(URI.create(url + "/oauth/v2/oauth-token"))
                    .header("Content-Type", "application/x-www-form-urlencoded")
                    .POST(BodyPublishers.ofString(body))));
    if (!"bearer".equalsIgnoreCase((String) issued.get("token_type")))
      throw new IOException("a token of type " + issued.get("token_type"));
    token = (String) issued.get("access_token");
    tokenEnds = sentAt + ((Double) issued.get("expires_in")).longValue() * 1000 - EARLY_MILLIS;
    return token;
  }

  /**
   * Sends a request. Temporary failures are retried: no connection, an incomplete answer, 429 and 5xx. That is safe here,
   * because no request of this client changes anything. (HttpClient itself repeats a GET on a reused connection.)
   */
  private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
    for (int attempt = 1; ; attempt++) {
      String correlationId = UUID.randomUUID().toString();
      HttpRequest attempted = request.copy().setHeader("X-Correlation-ID", correlationId).build();
      long pause = 200L << (attempt - 1);
      try {
        HttpResponse<String> answer = exchange(attempted);
        log(attempted, answer.statusCode(), correlationId);
        boolean retryable = answer.statusCode() == 429 || answer.statusCode() >= 500;
        if (!retryable || attempt == ATTEMPTS) return answer;
        long wait = answer.headers().firstValue("Retry-After").map(PaymentsClient::waitOf).orElse(0L);
        if (wait > 0) pause = Math.min(wait, 30_000);
      } catch (IOException error) {
        log(attempted, error, correlationId);
        if (attempt == ATTEMPTS) throw error;
      }
      Thread.sleep(pause);
    }
  }

  private HttpResponse<String> exchange(HttpRequest request) throws IOException, InterruptedException {
    CompletableFuture<HttpResponse<String>> answer = http.sendAsync(request, BodyHandlers.ofString());
    try {
      return answer.get(TIME_OUT_MILLIS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException error) {
      answer.cancel(true);
      throw new IOException("no answer in time", error);
    } catch (ExecutionException error) {
      if (error.getCause() instanceof IOException cause) throw cause;
      throw new IOException(error.getCause());
    }
  }

  private static void log(HttpRequest request, Object outcome, String correlationId) {
    String line = "%s %s -> %s, correlation ID %s%n";
    System.err.printf(line, request.method(), request.uri().getPath(), outcome, correlationId);
  }

  /** @throws ApiException if the answer is not a success */
  @SuppressWarnings("unchecked")
  private static Map<String, Object> bodyOf(HttpResponse<String> answer) throws IOException {
    String type = answer.headers().firstValue("Content-Type").orElse("");
    boolean isJson = type.startsWith("application/json");
    Map<String, Object> body = isJson ? (Map<String, Object>) Json.parse(answer.body()) : Map.of();
    if (answer.statusCode() < 200 || answer.statusCode() > 299) {
      String correlationId = answer.request().headers().firstValue("X-Correlation-ID").orElse("");
      throw new ApiException(answer.statusCode(), body, correlationId);
    }
    if (!isJson) throw new IOException("an answer of the type " + type + " instead of JSON");
    return body;
  }

  private static String form(Map<String, String> values) {
    return values.entrySet().stream()
        .map(each -> encoded(each.getKey()) + "=" + encoded(each.getValue()))
        .collect(Collectors.joining("&"));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static long now() {
    return System.nanoTime() / 1_000_000;
  }
}
