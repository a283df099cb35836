import * as z from 'zod';

/** The faults that the sandbox gateway can simulate. */

const faultNames = [
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
export const sandboxFaultSchema = z.enum(faultNames);
export type SandboxFault = z.infer<typeof sandboxFaultSchema>;
export const sandboxFaults: readonly SandboxFault[] = faultNames;
