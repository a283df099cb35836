/** The scope of an address: `public` also for a name, which only the network can resolve. */
export type AddressScope = 'loopback' | 'unspecified' | 'link-local' | 'private' | 'public';

const ofIpv4 = (parts: readonly number[]): AddressScope => {
  const [first = 0, second = 0] = parts;
  if (first === 127) return 'loopback';
  if (first === 0) return 'unspecified';
  if (first === 169 && second === 254) return 'link-local';
  const isPrivate =
    first === 10 ||
    (first === 172 && second >= 16 && second <= 31) ||
    (first === 192 && second === 168) ||
    // Shared by the customers of one provider (RFC 6598).
    (first === 100 && second >= 64 && second <= 127);
  return isPrivate ? 'private' : 'public';
};

/**
 * The scope of a host from a URL or the settings: a name, an IPv4 address, or an IPv6 address with or without
 * brackets. A name's addresses are checked after the DNS look-up.
 */
export const addressScope = (host: string): AddressScope => {
  const name = host
    .trim()
    .toLowerCase()
    .replace(/^\[|\]$/g, '');
  if (name === 'localhost') return 'loopback';
  const ipv4 = /^(?:::ffff:)?(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(name);
  if (ipv4) return ofIpv4(ipv4.slice(1).map(Number));
  // A URL writes an IPv4 address inside an IPv6 one as two groups of hexadecimal digits.
  const mapped = /^::ffff:([0-9a-f]{1,4}):[0-9a-f]{1,4}$/.exec(name);
  if (mapped) {
    const high = Number.parseInt(mapped[1] ?? '0', 16);
    return ofIpv4([high >> 8, high & 0xff]);
  }
  if (!name.includes(':')) return 'public';
  if (name === '::1') return 'loopback';
  if (name === '::') return 'unspecified';
  const first = Number.parseInt(name.split(':', 1)[0] || '0', 16);
  if ((first & 0xff_c0) === 0xfe_80) return 'link-local';
  if ((first & 0xfe_00) === 0xfc_00) return 'private';
  return 'public';
};

/** Whether an address is plain http to this computer. */
export const isLoopbackHttp = (url: URL): boolean =>
  url.protocol === 'http:' && addressScope(url.hostname) === 'loopback';
