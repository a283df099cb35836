/** A text on one line: shortened to fit, with the full text on hover. */
export const Truncate = ({ text, className = '' }: { text: string; className?: string }) => (
  <span className={`clip ${className}`} title={text}>
    {text}
  </span>
);
