import java.io.FileInputStream;
import java.net.URL;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Prints those of the URLs whose server certificate this Java accepts. */
public class Accepts {
    public static void main(String[] given) throws Exception {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        try (FileInputStream file = new FileInputStream(given[0])) {
            int number = 0;
            for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(file))
                trusted.setCertificateEntry("ca" + number++, each);
        }
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        for (int index = 1; index < given.length; index++) {
            HttpsURLConnection connection = (HttpsURLConnection) new URL(given[index]).openConnection();
            connection.setSSLSocketFactory(context.getSocketFactory());
            try {
                connection.getResponseCode();
                System.out.println(given[index]);
            } catch (javax.net.ssl.SSLException refused) {
                System.err.println(given[index] + " " + refused.getMessage());
            }
        }
    }
}
