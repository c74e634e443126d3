import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.UUID;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.containers.wait.strategy.WaitAllStrategy;
import org.testcontainers.utility.DockerImageName;

/**
 * The sandbox in a container, for `org.testcontainers:testcontainers`.
 *
 * <pre>{@code
 * @Container static final SandboxContainer sandbox = new SandboxContainer();
 *
 * SandboxContainer.Client client = sandbox.newClient();
 * sandbox.useScenario(client, "unauthorized-once");
 * }</pre>
 *
 * Its server certificate and its admin API accept the names `localhost`, `sandbox` and `host.docker.internal`. If Docker
 * runs on another machine, pass the name of that machine to the container as SANDBOX_HOSTNAME: at its first start any
 * name, later one under `.test`.
 */
public class SandboxContainer extends GenericContainer<SandboxContainer> {
  /** Build it from this repository: `docker build -t business-payments-sandbox .`. No registry has it yet. */
  private static final DockerImageName IMAGE = DockerImageName.parse("business-payments-sandbox");

  private static final int API_PORT = 8443;
  private static final int ADMIN_PORT = 8090;
  private static final char[] PASSWORD = "sandbox".toCharArray();

  private final HttpClient admin = HttpClient.newHttpClient();

  public SandboxContainer() {
    super(IMAGE);
    withExposedPorts(API_PORT, ADMIN_PORT);
    // The port is published for tests on this machine only, so the admin API does not need a token.
    withEnv("SANDBOX_ADMIN_AUTH", "none");
    waitingFor(
        new WaitAllStrategy()
            .withStrategy(Wait.forLogMessage(".*Ready on https://.*\\n", 1))
            .withStrategy(Wait.forHealthcheck()));
  }

  /** Base URL of the API, on a free port. */
  public String url() {
    return "https://" + getHost() + ":" + getMappedPort(API_PORT);
  }

  public String adminUrl() {
    return "http://" + getHost() + ":" + getMappedPort(ADMIN_PORT);
  }

  /** A client for one test, as key store and trust store in one, with its own scenario, clock and journal. */
  public Client newClient() throws IOException, InterruptedException, GeneralSecurityException {
    String id = "test-" + UUID.randomUUID();
    send("POST", "/clients", "{\"clientId\":\"" + id + "\"}");
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(new ByteArrayInputStream(send("GET", "/clients/" + id + "/client.p12", "")), PASSWORD);
    return new Client(id, store, PASSWORD);
  }

  /** Activates a scenario for a client. */
  public void useScenario(Client client, String name) throws IOException, InterruptedException {
    send("PUT", "/clients/" + client.id() + "/scenario", "{\"name\":\"" + name + "\"}");
  }

  private byte[] send(String method, String path, String json) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(adminUrl() + path))
            .method(method, json.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(json))
            .header("Content-Type", "application/json")
            .build();
    HttpResponse<byte[]> answer = admin.send(request, BodyHandlers.ofByteArray());
    if (answer.statusCode() >= 300) throw new IOException(answer.statusCode() + " " + new String(answer.body()));
    return answer.body();
  }

  public record Client(String id, KeyStore store, char[] password) {}
}
