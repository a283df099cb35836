/**
 * Switches that let another program read or control the window or the main process. Fuses do not block those that
 * Chromium reads itself. `js-flags` can disable protections of V8.
 */
const refused = [
  'remote-debugging-port',
  'remote-debugging-pipe',
  'remote-debugging-address',
  'remote-debugging-targets',
  'remote-allow-origins',
  'inspect',
  'inspect-brk',
  'inspect-brk-node',
  'inspect-port',
  'inspect-wait',
  'debug-port',
  'js-flags',
  'disable-web-security',
  'load-extension',
  'auto-open-devtools-for-tabs',
] as const;

/** The first debugging switch the application was started with, without its dashes, or null. */
export const debuggingSwitch = (hasSwitch: (name: string) => boolean): string | null =>
  refused.find(name => hasSwitch(name)) ?? null;
