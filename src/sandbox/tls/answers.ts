import { isIP } from "node:net";
import { connect } from "node:tls";

/** How long a sandbox may take to answer, in milliseconds. */
const longest = 1000;

/**
 * Whether a sandbox answers at a URL: it completes a handshake with a certificate that these CAs trust.
 * @param ca PEM
 */
export function answers(url: string, ca: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port || 443), ca, ...(!isIP(host) && { servername: host }) });
    const end = (is: boolean) => {
      socket.destroy();
      resolve(is);
    };
    socket.setTimeout(longest, () => end(false));
    socket.once("secureConnect", () => end(true));
    socket.once("error", () => end(false));
  });
}
