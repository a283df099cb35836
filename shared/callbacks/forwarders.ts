/**
 * Forwarders on a machine that the gateway can reach. Each passes callbacks to the receiver and its response back,
 * byte for byte, so that 200 still means "stored" (§6.2.1). test/callbacks/forwarders.integration.test.ts runs each
 * of them.
 */
export const forwarderNames = ['nginx', 'caddy', 'ssh', 'php', 'node'] as const;
export type ForwarderName = (typeof forwarderNames)[number];

/** The server's end of the SSH tunnel; not 8080, the port of the Node.js forwarder. */
const tunnelPort = '8025';
export const tunnelEnd = `127.0.0.1:${tunnelPort}`;

/**
 * The receiver's address as the console shows it (`host`, `port`, `path`), and the server's target: `forwardTo`, the end
 * of the SSH tunnel if only this PC can reach the receiver. `description` explains it.
 */
type Target = {
  host: string;
  port: string;
  path: string;
  forwardTo: string;
  description: string;
  secure: boolean;
};

/** Addresses that only reach the machine itself. */
const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);

const targetOf = (address: string): Target => {
  const url = new URL(address);
  // The wildcard address is not reachable from another machine.
  if (url.hostname === '0.0.0.0' || url.hostname === '[::]') url.hostname = 'this-pc.example.com';
  const secure = url.protocol === 'https:';
  const { hostname: host, pathname: path, origin } = url;
  const port = url.port || (secure ? '443' : '80');
  const tunnel = `${url.protocol}//127.0.0.1:${tunnelPort}`;
  return isLoopback(host)
    ? {
        host,
        port,
        path,
        secure,
        forwardTo: tunnel,
        description: `Forwards callbacks to ${tunnel} on this server, the end of the SSH tunnel. Run the tunnel on the computer with Counterfoil.`,
      }
    : {
        host,
        port,
        path,
        secure,
        forwardTo: origin,
        description: `Forwards callbacks to ${origin}, the computer with Counterfoil. This server must be able to reach it.`,
      };
};

const nginx = ({
  forwardTo,
  path,
  description,
}: Target): string => `# Inside the server block of your https site.
# ${description}
location = ${path} {
    limit_except POST { deny all; }
    client_max_body_size 64k;
    proxy_pass ${forwardTo}${path};
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_read_timeout 15s;
}
`;

const caddy = ({
  forwardTo,
  path,
  description,
}: Target): string => `# In your Caddyfile; the name is your site's.
# ${description}
shop.example.com {
    handle ${path} {
        request_body {
            max_size 64KB
        }
        reverse_proxy ${forwardTo}
    }
}
`;

const ssh = ({
  host,
  port,
}: Target): string => `# Run this on the computer with Counterfoil. It forwards port ${tunnelPort} of the server to the receiver.
# On the server, add the nginx, Caddy, PHP or Node.js configuration, which forwards callbacks to that port.
ssh -N -o ExitOnForwardFailure=yes -o ServerAliveInterval=30 -R 127.0.0.1:${tunnelPort}:${host}:${port} user@shop.example.com
`;

const php = ({ forwardTo, path, description }: Target): string => `<?php
// ${description}
// Passes the gateway's callback on and answers what Counterfoil answered: 200 only when it is written down.
if ($_SERVER['REQUEST_METHOD'] !== 'POST') { http_response_code(405); exit; }
$body = file_get_contents('php://input');
$type = $_SERVER['CONTENT_TYPE'] ?? 'application/x-www-form-urlencoded';
// PHP takes multipart bodies apart before anybody can read them.
if ($body === '' && $_POST) { $body = http_build_query($_POST); $type = 'application/x-www-form-urlencoded'; }
$answer = @file_get_contents('${forwardTo}${path}', false, stream_context_create([
    'http' => ['method' => 'POST', 'header' => "Content-Type: $type", 'content' => $body, 'timeout' => 15, 'ignore_errors' => true],
]));
http_response_code($answer === false ? 503 : (int) explode(' ', $http_response_header[0])[1]);
echo $answer === 'OK' ? 'OK' : '';
`;

const node = ({ forwardTo, path, description, secure }: Target): string => `// ${description}
// Passes callbacks on and answers what Counterfoil answered: 200 only when they are written down.
${
  secure
    ? "import { createServer } from 'node:http';\nimport { request } from 'node:https';"
    : "import { createServer, request } from 'node:http';"
}

createServer((incoming, outgoing) => {
  if (incoming.method !== 'POST' || incoming.url !== '${path}') return outgoing.writeHead(404).end();
  const { 'content-type': type, 'content-length': length } = incoming.headers;
  const headers = { ...(type && { 'content-type': type }), ...(length && { 'content-length': length }) };
  const onward = request('${forwardTo}${path}', { method: 'POST', headers, timeout: 15_000 }, answer => {
    outgoing.writeHead(answer.statusCode);
    answer.pipe(outgoing);
  });
  onward.on('timeout', () => onward.destroy());
  onward.on('error', () => outgoing.headersSent || outgoing.writeHead(503).end());
  incoming.pipe(onward);
}).listen(Number(process.env.PORT ?? 8080));
`;

const snippets: Readonly<Record<ForwarderName, (target: Target) => string>> = {
  nginx,
  caddy,
  ssh,
  php,
  node,
};

/**
 * The forwarder's text for an address of the receiver, such as `http://127.0.0.1:8025/5f1c…`. Throws a TypeError if
 * the address is invalid.
 */
export const forwarder = (name: ForwarderName, address: string): string => snippets[name](targetOf(address));
