/** The link's host beside the gateway's own; null when they are one. */
export const otherHost = (link: string, baseUrl: string): { host: string; gateway: string } | null => {
  const [host, gateway] = [URL.parse(link)?.host ?? '', URL.parse(baseUrl)?.host ?? ''];
  return gateway === '' || host === gateway ? null : { host, gateway };
};
