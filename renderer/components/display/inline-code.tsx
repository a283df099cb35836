/** A sentence in which `backticks` mark values; these are shown as code. */
export const InlineCode = ({ text }: { text: string }) =>
  text.split('`').map((part, index) =>
    index % 2 === 1 ? (
      // The parts of a sentence keep their order.
      // oxlint-disable-next-line react/no-array-index-key
      <code key={index} className="big-code">
        {part}
      </code>
    ) : (
      part
    ),
  );
