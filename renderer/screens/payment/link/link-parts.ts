/**
 * A payment link in two parts: its address up to the last slash, and the code after it, which differs from link to
 * link. Both together are the link.
 */
export const linkParts = (link: string): { address: string; code: string } => {
  const end = link.replace(/\/+$/, '').lastIndexOf('/') + 1;
  return { address: link.slice(0, end), code: link.slice(end) };
};
