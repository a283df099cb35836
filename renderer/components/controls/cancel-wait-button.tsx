import { CircleStop } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useText } from '../../i18n/text.ts';
import { Button } from './button.tsx';

/** Delay before the button appears. */
const delayMs = 1_000;

const SlowNotice = ({ description, onCancel }: { description: string; onCancel: () => void }) => {
  const t = useText();
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = window.setTimeout(() => setLate(true), delayMs);
    return () => window.clearTimeout(timer);
  }, []);
  return (
    <div className="line wrap">
      {isLate ? (
        <Button icon={CircleStop} onPress={onCancel}>
          {t('waiting-for.stop')}
        </Button>
      ) : null}
      <output className="small quiet">{isLate ? description : ''}</output>
    </div>
  );
};

/** Cancels waiting for the gateway. `description`: the effect of cancelling. */
export const CancelWaitButton = ({
  isWaiting,
  description,
  onCancel,
}: {
  isWaiting: boolean;
  description: string;
  onCancel: () => void;
}) => (isWaiting ? <SlowNotice description={description} onCancel={onCancel} /> : null);
