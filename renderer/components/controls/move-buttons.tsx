import { useEffect, useRef } from 'react';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { IconButton } from './button.tsx';

/** Moves one item of a list by one position. */
export const MoveButtons = ({
  earlier,
  later,
  isFirst,
  isLast,
  onMove,
}: {
  /** The names of the two buttons. */
  earlier: string;
  later: string;
  isFirst: boolean;
  isLast: boolean;
  onMove: (by: -1 | 1) => void;
}) => {
  const frame = useRef<HTMLSpanElement>(null);
  const pressed = useRef(false);
  useEffect(() => {
    // At the end of the list the pressed button is disabled and would lose the focus; the other one takes it.
    if (!pressed.current || frame.current?.contains(document.activeElement)) return;
    frame.current?.querySelector<HTMLButtonElement>('button:enabled')?.focus();
    pressed.current = false;
  });
  const move = (by: -1 | 1): void => {
    pressed.current = true;
    onMove(by);
  };
  return (
    <span ref={frame} className="line">
      <IconButton name={earlier} icon={<ArrowUp size={14} />} isDisabled={isFirst} onPress={() => move(-1)} />
      <IconButton name={later} icon={<ArrowDown size={14} />} isDisabled={isLast} onPress={() => move(1)} />
    </span>
  );
};
