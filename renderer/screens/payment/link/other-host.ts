/** The link's host next to the gateway's; null if they are equal. */
export const otherHost = (link: string, baseUrl: string): { host: string; gateway: string } | null => {
  const [host, gateway] = [URL.parse(link)?.host ?? '', URL.parse(baseUrl)?.host ?? ''];
  return gateway === '' || host === gateway ? null : { host, gateway };
};
