/** Hosts that are this PC itself; a browser's URL writes an IPv6 address in brackets. */
const loopbackHosts = ['127.0.0.1', 'localhost', '[::1]'];

/** Whether an address is plain http to this PC. */
export const isLoopbackHttp = (url: URL): boolean =>
  url.protocol === 'http:' && loopbackHosts.includes(url.hostname);
