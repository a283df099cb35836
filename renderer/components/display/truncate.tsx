/** A text on one line: what does not fit is shortened, and said whole when pointed at. */
export const Truncate = ({ text, className = '' }: { text: string; className?: string }) => (
  <span className={`clip ${className}`} title={text}>
    {text}
  </span>
);
