/** Hosts that are this PC itself; a browser's URL writes an IPv6 address in brackets. */
const loopbackHosts = ['127.0.0.1', 'localhost', '[::1]'];

/** Whether an address speaks plain http to this PC and to nothing else. */
export const isLoopbackHttp = (url: URL): boolean =>
  url.protocol === 'http:' && loopbackHosts.includes(url.hostname);
