/** A client of somebody else that connects to the sandbox, as its library verifies by default. */
interface TlsClient {
  /** The runtime or library, and the TLS implementation if that is another one. */
  readonly name: string;
  /** The version with which the columns were last tried. */
  readonly tried: string;
  /** What it needs: a program and its Debian package, or a package of npm that is installed for the test. */
  readonly needs:
    | { readonly program: string; readonly debian: string }
    | { readonly npm: string; readonly program: string };
  /** Whether it connects to an address: the certificate has it as an iPAddress. */
  readonly byAddress: boolean;
  /** Whether it connects to a server with a CA of the form `strict`. */
  readonly acceptsStrict: boolean;
  /** Whether it refuses a server whose name the CA's name constraints do not permit. */
  readonly enforcesNames: boolean;
  /** A program of this folder that is compiled first. */
  readonly compile?: (source: string, target: string) => readonly string[];
  /**
   * The command that sends a ping and prints the answer.
   * @param ping.program a file of this folder, or what was compiled
   */
  readonly command: (ping: Ping) => readonly string[];
  /** What it reads on its standard input. */
  readonly input?: (ping: Ping) => string;
  /** The file in this folder. */
  readonly source?: string;
}

interface Ping {
  readonly url: URL;
  readonly token: string;
  /** Folder of the certificates. */
  readonly certs: string;
  readonly program: string;
}

const given = ({ url, token, certs }: Ping) => [url.origin, token, certs];
const identity = (certs: string) => [`${certs}/clients/demo/cert.pem`, `${certs}/clients/demo/key.pem`] as const;
const request = ({ url, token }: Ping) =>
  `GET /v1/ping HTTP/1.1\r\nHost: ${url.host}\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`;

/** "Start and connect" lists them. */
export const tlsClients: readonly TlsClient[] = [
  {
    name: "Bun (BoringSSL)",
    tried: "1.4.5",
    needs: { npm: "bun", program: "bun" },
    byAddress: true,
    acceptsStrict: false,
    enforcesNames: true,
    source: "ping.mjs",
    command: (ping) => ["bun", ping.program, ...given(ping)],
  },
  {
    name: "Deno (rustls)",
    tried: "2.9.6",
    needs: { npm: "deno", program: "deno" },
    byAddress: true,
    acceptsStrict: true,
    enforcesNames: true,
    source: "ping.mjs",
    command: (ping) => ["deno", "run", "--quiet", "--allow-net", "--allow-read", ping.program, ...given(ping)],
  },
  {
    name: "curl (OpenSSL)",
    tried: "7.88",
    needs: { program: "curl", debian: "curl" },
    byAddress: true,
    acceptsStrict: true,
    enforcesNames: true,
    command: ({ url, token, certs }) => {
      const [cert, key] = identity(certs);
      const files = ["--cacert", `${certs}/ca.pem`, "--cert", cert, "--key", key];
      return [
        "curl",
        "-sS",
        "--noproxy",
        "*",
        ...files,
        "-H",
        `Authorization: Bearer ${token}`,
        `${url.origin}/v1/ping`,
      ];
    },
  },
  {
    name: "OpenSSL (strict)",
    tried: "3.0",
    needs: { program: "openssl", debian: "openssl" },
    byAddress: true,
    acceptsStrict: true,
    enforcesNames: true,
    command: ({ url, certs }) => {
      const [cert, key] = identity(certs);
      const name = /^[\d.]+$/.test(url.hostname) ? "-verify_ip" : "-verify_hostname";
      const verification = ["-CAfile", `${certs}/ca.pem`, "-verify_return_error", "-x509_strict", name, url.hostname];
      return ["openssl", "s_client", "-quiet", "-connect", url.host, ...verification, "-cert", cert, "-key", key];
    },
    input: request,
  },
  {
    name: "GnuTLS",
    tried: "3.7",
    needs: { program: "gnutls-cli", debian: "gnutls-bin" },
    byAddress: true,
    acceptsStrict: true,
    enforcesNames: true,
    command: ({ url, certs }) => {
      const [cert, key] = identity(certs);
      const files = [`--x509cafile=${certs}/ca.pem`, `--x509certfile=${cert}`, `--x509keyfile=${key}`];
      return ["gnutls-cli", "--logfile=/dev/null", ...files, `--port=${url.port}`, url.hostname];
    },
    input: request,
  },
  {
    name: "mbedTLS",
    tried: "2.28",
    needs: { program: "cc", debian: "libmbedtls-dev" },
    byAddress: false,
    acceptsStrict: false,
    enforcesNames: false,
    source: "ping.c",
    compile: (source, target) => ["cc", "-o", target, source, "-lmbedtls", "-lmbedx509", "-lmbedcrypto"],
    command: (ping) => [ping.program, ...given(ping)],
  },
  {
    name: "Python (OpenSSL, strict)",
    tried: "3.11",
    needs: { program: "python3", debian: "python3" },
    byAddress: true,
    acceptsStrict: true,
    enforcesNames: true,
    source: "ping.py",
    command: (ping) => ["python3", ping.program, ...given(ping)],
  },
  {
    name: "Java",
    tried: "17",
    needs: { program: "java", debian: "default-jdk-headless" },
    byAddress: true,
    acceptsStrict: true,
    enforcesNames: false,
    source: "Ping.java",
    command: (ping) => ["java", ping.program, ...given(ping)],
  },
  {
    name: "Go",
    tried: "1.19",
    needs: { program: "go", debian: "golang-go" },
    byAddress: true,
    acceptsStrict: true,
    enforcesNames: true,
    source: "ping.go",
    compile: (source, target) => ["go", "build", "-o", target, source],
    command: (ping) => [ping.program, ...given(ping)],
  },
  {
    name: "Ruby (OpenSSL)",
    tried: "3.1",
    needs: { program: "ruby", debian: "ruby" },
    byAddress: true,
    acceptsStrict: true,
    enforcesNames: true,
    source: "ping.rb",
    command: (ping) => ["ruby", ping.program, ...given(ping)],
  },
  {
    name: "PHP (OpenSSL)",
    tried: "8.2",
    needs: { program: "php", debian: "php-cli" },
    byAddress: true,
    acceptsStrict: true,
    enforcesNames: true,
    source: "ping.php",
    command: (ping) => ["php", ping.program, ...given(ping)],
  },
];
