// Runs `npm ci`, and explains a failure. Like setup.mjs it runs on any Node from 20 on, with nothing installed.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Time without output from npm after which a line says what it uses, milliseconds. */
const quietMs = 30_000;

/** Without the user and password that it may contain. */
const withoutLogin = address => address.replace(/\/\/[^/]*@/, '//');

/** npm's registry, proxy and cache, as far as the output and the environment name them. */
const surroundings = output => {
  const environment = name => process.env[name] ?? process.env[name.toUpperCase()];
  const proxy = ['npm_config_https_proxy', 'https_proxy', 'npm_config_proxy', 'http_proxy']
    .map(environment)
    .find(Boolean);
  const registry = /fetch \w+ (https?:\/\/[^/\s]+)/.exec(output)?.[1] ?? environment('npm_config_registry');
  return {
    registry: registry ? withoutLogin(registry) : 'the registry that `npm config get registry` prints',
    proxy: proxy ? `the proxy ${withoutLogin(proxy)} (HTTPS_PROXY)` : 'no proxy (HTTPS_PROXY is not set)',
    cache: environment('npm_config_cache') ?? 'the cache that `npm config get cache` prints',
  };
};

/** Each cause: what npm prints for it, and what to say. The first that fits is named. */
const causes = [
  [
    /\b(ENOSPC|EDQUOT)\b/,
    () => 'There is no room on the disk of this folder or of npm’s cache. Free about 1 GB, then try again.',
  ],
  [
    /\b(EACCES|EPERM|EROFS)\b/,
    (output, { cache }) =>
      `npm may not write to ${/npm (?:error|ERR!) path (.+)/.exec(output)?.[1] ?? 'a folder'}. Check the rights of this folder and of npm’s cache (${cache}). ` +
      'With a home folder that is read-only, name another cache: npm_config_cache=FOLDER npm start',
  ],
  [
    /\bE407\b|Proxy Authentication Required|tunneling socket/i,
    (_, { proxy }) => `The proxy refused the connection. npm uses ${proxy}.`,
  ],
  [
    /\b(CERT_\w+|SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_\w+|ERR_TLS_\w+)\b/,
    (_, { registry }) =>
      `The certificate of ${registry} is not trusted. Where your company inspects connections, name its certificate in NODE_EXTRA_CA_CERTS.`,
  ],
  [
    /\bE40[13]\b/,
    (_, { registry }) => `${registry} refused the request: it wants a login, or forbids a package.`,
  ],
  [
    /\b(E404|ETARGET)\b/,
    (_, { registry }) => `A package in the version of the lockfile is not in the registry: ${registry}.`,
  ],
  [
    /\bEINTEGRITY\b/,
    (_, { registry }) =>
      `A package is not the one of the lockfile: its hash differs. Run npm cache verify, and find out what ${registry} delivers.`,
  ],
  [
    /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ERR_SOCKET_TIMEOUT|EIDLETIMEOUT|FETCH_ERROR|E5\d\d)\b/,
    (output, { registry, proxy, cache }) =>
      `npm could not reach ${registry} (${/failed with (\w+)/.exec(output)?.[1] ?? 'network error'}). It uses ${proxy} and ${cache}. Check both and the network.`,
  ],
  [
    /npm (?:error|ERR!) (?:code ELIFECYCLE|command (?:sh|cmd)\b|gyp)|ESTRICTALLOWSCRIPTS|install scripts?\b.*(?:not allowed|blocked)/i,
    () =>
      'A package tried to run a script. None of Counterfoil’s packages needs its script: none may run one.',
  ],
];

/** The sentence for the cause of a failed `npm ci`, from everything that it printed. */
const causeIn = output => {
  const [, sentence] = causes.find(([pattern]) => pattern.test(output)) ?? [];
  return sentence?.(output, surroundings(output)) ?? 'npm names the reason above.';
};

/** Whether npm did less than it should: it can end with 0 after it lost the network or the disk was full. */
const isBroken = output => /Exit handler never called|TAR_ENTRY_ERROR/.test(output);

/** Lines that are only counted, not printed: each download, and what the packages' authors announce. */
const isChatter = line => /^npm (?:http|warn|WARN|notice)\b/.test(line);

const packagesIn = file => Object.entries(JSON.parse(readFileSync(file, 'utf8')).packages);

/** Whether npm installs a package of the lockfile on this platform. */
const isNeeded = ({ optional, os, cpu, libc }) => {
  if (!optional) return true;
  // Without a platform, it belongs to a package that has another one.
  if (!os?.includes(process.platform) || !(cpu ?? [process.arch]).includes(process.arch)) return false;
  if (libc === undefined) return true;
  return libc.includes(process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl');
};

/**
 * Whether every package of the lockfile that this platform needs is installed in its version, by npm's own list. `npm
 * ci` would delete what others have put beside them, such as Electron's runtime.
 */
export const arePackagesInstalled = folder => {
  const hidden = join(folder, 'node_modules', '.package-lock.json');
  if (!existsSync(hidden)) return false;
  try {
    const installed = new Map(packagesIn(hidden));
    return packagesIn(join(folder, 'package-lock.json')).every(([path, wanted]) => {
      const found = installed.get(path);
      if (path === '' || (found === undefined && !isNeeded(wanted))) return true;
      return (
        found?.version === wanted.version &&
        found?.integrity === wanted.integrity &&
        existsSync(join(folder, path))
      );
    });
  } catch {
    // One of the lists is damaged.
    return false;
  }
};

/**
 * Installs the packages of the lockfile into `folder`; no script of a package runs. `say` prints a line. Resolves to
 * null, or to a sentence about the failure.
 */
export const installPackages = (folder, say) =>
  new Promise(resolve => {
    // Every npm knows --ignore-scripts; --strict-allow-scripts is ignored below 11.16, and then a package is compiled.
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=http'];
    const child = spawn('npm', args, {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    });
    let output = '';
    let retried = false;
    const report = reason => {
      const { registry, proxy, cache } = surroundings(output);
      say(`${reason} npm uses ${registry}, ${proxy} and ${cache}.`);
    };
    const quiet = setInterval(() => report('Nothing new from npm for half a minute.'), quietMs);
    const take = line => {
      output += `${line}\n`;
      if (!isChatter(line)) say(line);
      const [, code] = /^npm http .* attempt \d+ failed with (\w+)/.exec(line) ?? [];
      if (!code || retried) return;
      retried = true;
      report(`A download failed (${code}), and npm tries again for about two minutes.`);
    };
    for (const stream of [child.stdout, child.stderr]) {
      let rest = '';
      stream.setEncoding('utf8');
      stream.on('data', text => {
        quiet.refresh();
        const lines = (rest + text).split(/\r?\n/);
        rest = lines.pop() ?? '';
        lines.forEach(take);
      });
      stream.on('end', () => rest && take(rest));
    }
    child.on('error', ({ code, message }) => {
      clearInterval(quiet);
      resolve(code === 'ENOENT' ? 'npm is not on the path. It comes with Node.' : message);
    });
    child.on('close', (code, signal) => {
      clearInterval(quiet);
      if (signal) return resolve(`npm was ended by ${signal}: perhaps there is too little memory.`);
      // Written last: without it npm stopped in between.
      const isComplete = existsSync(join(folder, 'node_modules', '.package-lock.json'));
      return resolve(code === 0 && isComplete && !isBroken(output) ? null : causeIn(output));
    });
  });
