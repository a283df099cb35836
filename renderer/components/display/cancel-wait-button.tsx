import { CircleStop } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useText } from '../../i18n/text.ts';
import { Note } from './notes.tsx';
import { Button } from '../controls/button.tsx';

/** Delay before the button appears. */
const delayMs = 1_000;

type Wait = {
  description: string;
  onCancel: () => void;
  isOverPage?: boolean;
};

const SlowNotice = ({ description, onCancel, isOverPage = false }: Wait) => {
  const t = useText();
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = window.setTimeout(() => setLate(true), delayMs);
    return () => window.clearTimeout(timer);
  }, []);
  const wait = (
    <span className="line wrap">
      <Button icon={CircleStop} onPress={onCancel}>
        {t('waiting-for.stop')}
      </Button>
      <span className="small quiet">{description}</span>
    </span>
  );
  return isOverPage ? (
    <output className="over-page">{isLate ? <Note>{wait}</Note> : null}</output>
  ) : (
    <output>{isLate ? wait : null}</output>
  );
};

/**
 * Cancels waiting for the gateway. `description`: the effect of cancelling. `isOverPage`: over what it would otherwise
 * move.
 */
export const CancelWaitButton = ({ isWaiting, ...wait }: Wait & { isWaiting: boolean }) =>
  isWaiting ? <SlowNotice {...wait} /> : null;
