import { BlockList, isIP, isIPv6 } from 'node:net';

/** Limits of requests that are no verified callbacks, by the address of their sender. */
export type AddressLimits = ReturnType<typeof createAddressLimits>;

/** What an address may send at once, and per second after that. */
const usualRate = { burst: 200, perSecond: 20 };
/** Limit of remembered addresses; the one that was counted first is forgotten. */
const maxAddresses = 10_000;

/** The first four groups of an IPv6 address: the smallest network that one customer of a provider has. */
const networkOf = (address: string): string => {
  const [before = '', after] = address.split('::');
  const head = before === '' ? [] : before.split(':');
  const tail = after === undefined || after === '' ? [] : after.split(':');
  const gap = after === undefined ? [] : Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return [...head, ...gap, ...tail].slice(0, 4).join(':');
};

/** `elapsed`: monotonic time, milliseconds. */
export const createAddressLimits = (
  elapsed: () => number = () => performance.now(),
  { burst, perSecond } = usualRate,
) => {
  const buckets = new Map<string, { left: number; at: number }>();
  return {
    /** Counts one; false if the address has used up its share for now. */
    take: (address: string): boolean => {
      const key = isIPv6(address) ? networkOf(address) : address;
      const now = elapsed();
      const before = buckets.get(key);
      const left = before ? Math.min(burst, before.left + ((now - before.at) / 1_000) * perSecond) : burst;
      buckets.delete(key);
      buckets.set(key, { left: left >= 1 ? left - 1 : left, at: now });
      if (buckets.size > maxAddresses) {
        const [oldest] = buckets.keys();
        if (oldest !== undefined) buckets.delete(oldest);
      }
      return left >= 1;
    },
  };
};

/** An IPv4 address that a socket reports as IPv6, in its usual form. */
const plain = (address: string): string => (address.startsWith('::ffff:') ? address.slice(7) : address);

/** Whether this is an address or a network, such as `10.0.0.0/8`. */
export const isNetwork = (text: string): boolean => {
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
};

/** Finds the address of a request's sender: a trusted proxy names it, everything else is where it came from. */
export type SenderOf = (remote: string, forwardedFor: string | undefined) => string;

/** `trusted`: addresses and networks of proxies; only these are believed. */
export const senderBehind = (trusted: readonly string[]): SenderOf => {
  const list = new BlockList();
  for (const one of trusted) {
    const [address = '', bits] = one.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  const isTrusted = (address: string): boolean =>
    isIP(address) !== 0 && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  return (remote, forwardedFor) => {
    let sender = plain(remote);
    // Each proxy appends the address that it saw: what is left of an untrusted one may be invented.
    const hops = (forwardedFor ?? '').split(',').map(hop => plain(hop.trim()));
    while (isTrusted(sender)) {
      const hop = hops.pop();
      if (hop === undefined || isIP(hop) === 0) break;
      sender = hop;
    }
    return sender;
  };
};
