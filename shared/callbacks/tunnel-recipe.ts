import { forwarder, tunnelEnd, type ForwarderName } from './forwarders.ts';

/**
 * A whole recipe for a receiver behind NAT: an SSH tunnel to a server that the gateway can reach, and that server's
 * part. test/callbacks/tunnel-recipe.integration.test.ts checks each text with its program.
 */
export const recipeServers = ['caddy', 'nginx'] as const satisfies readonly ForwarderName[];
export type RecipeServer = (typeof recipeServers)[number];

/** The account on the server, which may do nothing but open the tunnel. */
const account = 'counterfoil-tunnel';

export const recipeSteps = ['key', 'account', 'unit', 'start', 'server', 'dashboard'] as const;
export type RecipeStep = {
  id: (typeof recipeSteps)[number];
  /** Where the text belongs. */
  at: 'computer' | 'server' | 'dashboard';
  text: string;
};

/** Whether a text is a server's name that can be put into commands. */
export const isServerName = (text: string): boolean =>
  /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i.test(
    text,
  );

/** `address`: the receiver's, as the console shows it; `name`: the server's, see `isServerName`. */
export const tunnelRecipe = (server: RecipeServer, address: string, name: string): RecipeStep[] => {
  const receiver = new URL(address);
  const isWildcard = receiver.hostname === '0.0.0.0' || receiver.hostname === '[::]';
  const host = isWildcard ? '127.0.0.1' : receiver.hostname;
  const port = receiver.port || (receiver.protocol === 'https:' ? '443' : '80');
  // The server’s part forwards to its own end of the tunnel, for any address of the receiver.
  receiver.hostname = '127.0.0.1';
  const home = `/home/${account}`;
  const texts: Readonly<Record<RecipeStep['id'], string>> = {
    key: `ssh-keygen -t ed25519 -N '' -C ${account} -f ~/.ssh/${account}
cat ~/.ssh/${account}.pub
`,
    account: `sudo useradd --create-home --shell /usr/sbin/nologin ${account}
sudo install -d -m 700 -o ${account} -g ${account} ${home}/.ssh
echo 'restrict,port-forwarding,permitlisten="${tunnelEnd}" PUBLIC-KEY' | sudo tee ${home}/.ssh/authorized_keys
sudo chmod 644 ${home}/.ssh/authorized_keys
`,
    unit: `[Unit]
Description=Tunnel for the callbacks of Counterfoil
StartLimitIntervalSec=0

[Service]
ExecStart=/usr/bin/ssh -N -T -i %h/.ssh/${account} -o BatchMode=yes -o StrictHostKeyChecking=accept-new -o ExitOnForwardFailure=yes -o ServerAliveInterval=30 -o ServerAliveCountMax=3 -R ${tunnelEnd}:${host}:${port} ${account}@${name}
Restart=always
RestartSec=10

[Install]
WantedBy=default.target
`,
    start: `systemctl --user daemon-reload
systemctl --user enable --now ${account}.service
loginctl enable-linger
systemctl --user status ${account}.service
`,
    server: forwarder(server, receiver.href).replaceAll('shop.example.com', name),
    dashboard: `https://${name}${receiver.pathname}\n`,
  };
  const places: Readonly<Record<RecipeStep['id'], RecipeStep['at']>> = {
    key: 'computer',
    account: 'server',
    unit: 'computer',
    start: 'computer',
    server: 'server',
    dashboard: 'dashboard',
  };
  return recipeSteps.map(id => ({ id, at: places[id], text: texts[id] }));
};
