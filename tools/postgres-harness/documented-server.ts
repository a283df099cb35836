import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { startCluster, unprivileged, type Cluster } from './cluster.ts';

/**
 * A server as the documents set it up: TLS with a certificate of a private authority, passwords over the network, and
 * Debian's rules for its own socket.
 */

export type DocumentedServer = Cluster & {
  /** The name in the certificate. */
  name: string;
  /** The file with the authority's certificate. */
  authority: string;
};

/** Debian's rules, by which only the system's account `postgres` is the administrator: here, that of the test. */
const socketRules = ['local all postgres peer map=administrator', 'local all all peer'];

const name = 'localhost';

/** A new authority, and a certificate of it for `name`. */
const writeCertificates = (folder: string): { authority: string; certificate: string; key: string } => {
  const curve = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2';
  const openssl = (args: string, subject: string): void => {
    const all = ['req', '-x509', ...`${curve} ${args}`.split(' '), '-subj', `/CN=${subject}`];
    execFileSync('openssl', all, { cwd: folder, stdio: 'ignore' });
  };
  openssl('-keyout authority.key -out authority.pem', 'Example authority');
  openssl(
    `-CA authority.pem -CAkey authority.key -addext subjectAltName=DNS:${name} -addext basicConstraints=CA:false -keyout server.key -out server.pem`,
    name,
  );
  const [authority = '', certificate = '', key = ''] = ['authority.pem', 'server.pem', 'server.key'].map(
    file => join(folder, file),
  );
  return { authority, certificate, key };
};

/** `settings`: lines of postgresql.conf by their names; `networkRules`: lines of pg_hba.conf. */
export const startDocumentedServer = async (
  settings: Readonly<Record<string, string>>,
  networkRules: readonly string[],
): Promise<DocumentedServer> => {
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-server-'));
  chmodSync(folder, 0o755);
  const { authority, certificate, key } = writeCertificates(folder);
  const { uid, gid } = unprivileged();
  if (uid !== undefined && gid !== undefined) chownSync(key, uid, gid);
  const rules = join(folder, 'pg_hba.conf');
  writeFileSync(rules, [...socketRules, ...networkRules, ''].join('\n'));
  const accounts = join(folder, 'pg_ident.conf');
  writeFileSync(accounts, `administrator ${userInfo().username} postgres\n`);
  const cluster = await startCluster({
    ...settings,
    ssl_cert_file: certificate,
    ssl_key_file: key,
    hba_file: rules,
    ident_file: accounts,
  });
  return {
    ...cluster,
    name,
    authority,
    remove: async () => {
      await cluster.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
