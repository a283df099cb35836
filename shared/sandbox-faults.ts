/** The faults that the sandbox gateway can simulate; without a schema, for its screen. */
export const sandboxFaults = [
  'delay',
  'drop',
  'http-400',
  'http-500',
  'garbage',
  'other-shape',
  'redirect',
  'plain-http-link',
  'callback-late',
  'callback-twice',
  'callback-out-of-order',
  'callback-wrong-signature',
  'callback-none',
] as const;
export type SandboxFault = (typeof sandboxFaults)[number];
