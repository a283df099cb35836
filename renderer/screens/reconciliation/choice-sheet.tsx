import { ListBox, ListBoxItem } from 'react-aria-components';
import { Sheet } from '../../components/controls/dialog.tsx';

export type Choice = { id: string; name: string; detail?: string };

/** A choice that acts at once: to whom, or until when. */
export const ChoiceSheet = ({
  title,
  choices,
  isOpen,
  onChoose,
  onClose,
}: {
  title: string;
  choices: readonly Choice[];
  isOpen: boolean;
  onChoose: (id: string) => void;
  onClose: () => void;
}) => (
  <Sheet title={title} isOpen={isOpen} onClose={onClose}>
    {/* The dialog is opened to choose. */}
    {/* oxlint-disable-next-line jsx-a11y/no-autofocus */}
    <ListBox className="options" aria-label={title} autoFocus="first" onAction={key => onChoose(String(key))}>
      {choices.map(({ id, name, detail }) => (
        <ListBoxItem key={id} id={id} textValue={name} className="option hovers">
          <span className="row gap-2 at-baseline">
            {name}
            {detail === undefined ? null : <span className="option-detail quiet tiny">{detail}</span>}
          </span>
        </ListBoxItem>
      ))}
    </ListBox>
  </Sheet>
);
