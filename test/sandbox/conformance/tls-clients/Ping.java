import java.io.FileInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Sends a ping with Java's HTTP client, and prints the answer: Ping URL TOKEN CERTS */
public class Ping {
    public static void main(String[] given) throws Exception {
        char[] password = "sandbox".toCharArray();
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (FileInputStream file = new FileInputStream(given[2] + "/clients/demo/client.p12")) {
            store.load(file, password);
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, password);
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trusted.getTrustManagers(), null);
        HttpRequest request = HttpRequest.newBuilder(URI.create(given[0] + "/v1/ping"))
            .header("Authorization", "Bearer " + given[1]).build();
        HttpClient client = HttpClient.newBuilder().sslContext(context).build();
        System.out.println(client.send(request, HttpResponse.BodyHandlers.ofString()).body());
    }
}
