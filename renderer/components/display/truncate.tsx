import { inLine } from '../../../shared/plain-text.ts';
/** A text on one line: shortened to fit, with the full text on hover, and a note about it. */
export const Truncate = ({
  text,
  className = '',
  note = '',
}: {
  text: string;
  className?: string;
  note?: string;
}) => (
  <span className={`clip ${className}`} title={inLine(note === '' ? text : `${text}\n${note}`)}>
    {inLine(text)}
  </span>
);
