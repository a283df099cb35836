/** What the arguments and the environment say about a pack. */

const systems = { '--linux': 'linux', '--win': 'win32', '--mac': 'darwin' } as const;
export type System = (typeof systems)[keyof typeof systems];
export type Processor = 'x64' | 'arm64';

const packUsage =
  'npm run pack -- [--linux | --win | --mac] [--x64] [--arm64] [--dir] [-c.OPTION=VALUE], or npm run pack -- intake';

/** The system and the processors to pack for; this machine's if the arguments name none. */
export const packTargets = (
  args: readonly string[],
  machine: { platform: string; arch: string } = process,
): { system: System; processors: Processor[] } => {
  const unknown = args.filter(
    one => !/^(--(linux|win|mac|x64|arm64|dir)|dir|(-c|--config)\.[\w.]+=.*)$/.test(one),
  );
  if (unknown.length > 0) throw new Error(`Unknown: ${unknown.join(' ')}. ${packUsage}`);
  const named = Object.entries(systems).filter(([option]) => args.includes(option));
  if (named.length > 1) throw new Error('Pack one system at a time.');
  const system = named[0]?.[1] ?? Object.values(systems).find(each => each === machine.platform);
  if (system === undefined) throw new Error(`There are no packages for ${machine.platform}.`);
  const processors = (['x64', 'arm64'] as const).filter(each => args.includes(`--${each}`));
  if (processors.length > 0) return { system, processors };
  return { system, processors: [machine.arch === 'arm64' ? 'arm64' : 'x64'] };
};

type Environment = Readonly<Record<string, string | undefined>>;

/** A variable of a secret that is not configured is empty there, and must not be used as one. */
export const withoutEmpty = (environment: Environment): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );

/** The packer's arguments for signing with what the environment has; without credentials nothing is signed. */
export const signingArguments = (system: System, environment: Environment): string[] => {
  if (system === 'darwin')
    return environment['CSC_LINK']
      ? []
      : // Apple's processors start only what has a signature. One of no one does not fit the hardened runtime.
        ['-c.mac.identity=-', '-c.mac.hardenedRuntime=false', '-c.mac.notarize=false'];
  if (system === 'win32' && environment['AZURE_CLIENT_SECRET']) {
    const option = (name: string, variable: string): string => {
      const value = environment[variable];
      if (!value) throw new Error(`Signing needs ${variable} too.`);
      return `-c.win.azureSignOptions.${name}=${value}`;
    };
    return [
      option('endpoint', 'AZURE_SIGNING_ENDPOINT'),
      option('codeSigningAccountName', 'AZURE_SIGNING_ACCOUNT'),
      option('certificateProfileName', 'AZURE_SIGNING_PROFILE'),
      option('publisherName', 'AZURE_SIGNING_PUBLISHER'),
    ];
  }
  return [];
};
