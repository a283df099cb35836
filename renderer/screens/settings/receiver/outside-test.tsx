import { useState } from 'react';
import { Globe } from 'lucide-react';
import type { OutsideStep } from '../../../../shared/callbacks/outside-step.ts';
import { Button } from '../../../components/controls/button.tsx';
import { TextBox } from '../../../components/controls/text-box.tsx';
import { ErrorNote } from '../../../components/display/error-note.tsx';
import { Form } from '../../../forms/form.tsx';
import { useTask } from '../../../forms/use-task.ts';
import { useText } from '../../../i18n/text.ts';
import { request } from '../../../ipc-client.ts';
import { CheckSteps } from '../profile/connection-check-panel.tsx';

/** Accepts a bare name too. */
const addressOf = (text: string): URL | null => {
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`);
  return url && url.hostname.includes('.') ? url : null;
};

/** Calls this receiver by its public address and shows where the call stops. */
export const OutsideTest = ({ profileId }: { profileId: string }) => {
  const t = useText();
  const [typed, setTyped] = useState('');
  const { isBusy: isRunning, problem, run } = useTask();
  const [steps, setSteps] = useState<readonly OutsideStep[]>([]);
  const url = addressOf(typed.trim());
  const test = (): void => {
    if (url === null || isRunning) return;
    setSteps([]);
    void run(
      'send',
      () => request('receiver.testOutside', { profileId, url: url.origin }),
      tested => setSteps(tested.steps),
    );
  };
  return (
    <section className="panel stack" aria-label={t('outside.name')}>
      <header className="stack tight">
        <h2>{t('outside.name')}</h2>
        <p className="small muted measure">{t('outside.text')}</p>
      </header>
      <Form className="ask-line tracks gap-2 at-start" onSubmit={test}>
        <TextBox
          label={t('receiver.outside-address')}
          placeholder="https://shop.example.com"
          value={typed}
          onChange={setTyped}
          problem={typed === '' || url ? null : t('outside.url.invalid')}
          inputClass="code"
          autoComplete="off"
        />
        <Button
          type="submit"
          request="receiver.testOutside"
          icon={<Globe size={16} />}
          isPending={isRunning}
          isDisabled={url === null}
        >
          {t('outside.do')}
        </Button>
      </Form>
      <p className="small quiet measure">{t('outside.inside')}</p>
      {problem ? <ErrorNote error={problem} /> : null}
      <div aria-live="polite">
        {isRunning ? (
          <p className="small quiet">{t('outside.running', { host: url?.host ?? '' })}</p>
        ) : (
          <CheckSteps steps={steps} />
        )}
      </div>
    </section>
  );
};
