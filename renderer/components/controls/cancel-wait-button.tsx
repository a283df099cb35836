import { CircleStop } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useText } from '../../i18n/text.ts';
import { Button } from './button.tsx';

/** Milliseconds after which waiting is worth a word. */
const patience = 1_000;

const Late = ({ says, onStop }: { says: string; onStop: () => void }) => {
  const t = useText();
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = window.setTimeout(() => setLate(true), patience);
    return () => window.clearTimeout(timer);
  }, []);
  return (
    <div className="stop-waiting line wrap">
      {isLate ? (
        <Button icon={<CircleStop size={16} />} onPress={onStop}>
          {t('waiting-for.stop')}
        </Button>
      ) : null}
      <output className="small quiet">{isLate ? says : ''}</output>
    </div>
  );
};

/** The way out while the window waits for the gateway. `says`: what stopping means. */
export const StopWaiting = ({
  isWaiting,
  says,
  onStop,
}: {
  isWaiting: boolean;
  says: string;
  onStop: () => void;
}) => (isWaiting ? <Late says={says} onStop={onStop} /> : null);
