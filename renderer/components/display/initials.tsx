/** The first letters of a name's first two words. */
export const initialsOf = (name: string): string =>
  name
    .split(/[\s._-]+/)
    .slice(0, 2)
    .map(word => word.charAt(0).toUpperCase())
    .join('');

/** A person's avatar: their initials in a disc. */
export const Initials = ({ name }: { name: string }) => (
  <span className="agent-mark round centred fixed" aria-hidden="true">
    {initialsOf(name)}
  </span>
);
