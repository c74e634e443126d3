import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

public final class Main {
  public static void main(String[] arguments) {
    try {
      run();
      // HttpClient's threads would hold the process up for a while.
      System.exit(0);
    } catch (Exception error) {
      System.err.println("error: " + error.getMessage());
      System.exit(1);
    }
  }

  private static void run() throws Exception {
    Map<String, String> environment = System.getenv();
    PaymentsClient client =
        new PaymentsClient(
            environment.get("SANDBOX_URL"),
            environment.get("SANDBOX_CLIENT_ID"),
            Path.of(environment.get("SANDBOX_P12_FILE")),
            environment.get("SANDBOX_P12_PASSWORD").toCharArray());

    client.ping(Map.of());
    System.out.println("ping: ok");

    try {
      client.ping(Map.of("produceError", "true"));
    } catch (ApiException error) {
      if (!error.code().equals("EXAMPLE_ERROR")) throw error;
      System.out.println("example error: " + error.status() + " " + error.code());
    }

    AtomicInteger count = new AtomicInteger();
    client.list("/v1/payouts", Map.of("status", "PAID"), payout -> count.incrementAndGet());
    System.out.println("paid payouts: " + count);
  }
}
