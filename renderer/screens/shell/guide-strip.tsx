import { ArrowRight, Check, Minus, X } from 'lucide-react';
import { guideSteps, type GuideStep } from '../../../shared/settings/guide.ts';
import { Button, IconButton } from '../../components/controls/button.tsx';
import { partOnDemand } from '../../components/controls/on-demand.tsx';
import { guideAt } from '../../guide-steps.ts';
import { useAppState } from '../../stores/app-state-store.ts';
import { closeGuide, fillExample, guideQuery, openPaymentPage, skipStep } from '../../queries/guide.ts';
import { go, useRoute } from '../../stores/route-store.ts';
import { useLocaleChoice, useText } from '../../i18n/text.ts';

const ResultWay = partOnDemand(() => import('../settings/profile/result-way.tsx'), 'ResultWay');

/** The guided start: the next step, on every screen, until it is done, skipped or closed. */
export const GuideStrip = () => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const route = useRoute(state => state.route);
  const app = useAppState(state => state.appState);
  const isOpen = app?.settings.guide.shown === 'open';
  const profileId = app?.profiles.find(({ kind }) => kind === 'sandbox')?.id ?? null;
  const { value: sandbox } = guideQuery.use(isOpen && profileId !== null ? { profileId } : null);
  if (!app || !isOpen) return null;
  const { guide } = app.settings;
  const active = app.profiles.find(({ id }) => id === app.settings.activeProfileId);
  const own = app.profiles.findLast(({ kind }) => kind !== 'sandbox');
  const { done, next } = guideAt({
    guide,
    profiles: app.profiles,
    active: active?.kind ?? 'sandbox',
    payments: app.log.payments,
    sandbox,
  });
  const step: GuideStep | null = next === 'pay' ? 'sandbox' : next === 'use' ? 'check' : next;
  const names = { profile: own?.name ?? '', active: active?.name ?? '' };
  // The button would lead to the page that is open.
  const isHere =
    route.screen === 'settings' &&
    route.section === 'profiles' &&
    ((next === 'check' && route.id === null) || (next === 'profile' && route.id === 'new'));
  // Otherwise the sentence about the sandbox would stand beside the form of a real account.
  const isElsewhere = step === 'sandbox' && active?.kind !== 'sandbox';
  const text = (): string => {
    if (next === null) return t(own === undefined ? 'guide.end.sandbox' : 'guide.end');
    if (next === 'use') return t('guide.use.text', names);
    return isElsewhere
      ? t(`guide.${next === 'pay' ? 'pay' : 'sandbox'}.elsewhere.text`)
      : t(`guide.${next}.text`);
  };
  const act = (): void => {
    if (next === 'sandbox' && profileId !== null) void fillExample(profileId, t('guide.example'), locale);
    else if (next === 'pay' && profileId !== null && sandbox?.latest)
      void openPaymentPage(profileId, sandbox.latest);
    else if (next === 'profile') go({ screen: 'settings', section: 'profiles', id: 'new' });
    else if (next === 'check') go({ screen: 'settings', section: 'profiles', id: null });
    else if (next === 'use' && own) {
      void useAppState.getState().change({ activeProfileId: own.id });
      go({ screen: 'new' });
    }
  };
  return (
    <section className="guide line wrap" aria-label={t('guide.name')}>
      <div className="guide-words tracks gap-1">
        <ol className="guide-steps row wrap no-padding no-margin no-bullets muted small">
          {guideSteps.map(one => (
            <li
              key={one}
              className={one === step ? 'now' : ''}
              {...(one === step ? { 'aria-current': 'step' as const } : {})}
            >
              <span className="guide-mark round centred tiny" aria-hidden="true">
                {done.has(one) ? (
                  <Check size={12} />
                ) : guide.skipped.includes(one) ? (
                  <Minus size={12} />
                ) : (
                  guideSteps.indexOf(one) + 1
                )}
              </span>
              {t(`guide.${one}`)}
              {done.has(one) || guide.skipped.includes(one) ? (
                <span className="out-of-sight"> {t(done.has(one) ? 'guide.done' : 'guide.skipped')}</span>
              ) : null}
            </li>
          ))}
        </ol>
        <output className="small">
          {text()} {next === null && own && active ? <ResultWay id={active.id} /> : null}
        </output>
      </div>
      <span className="line">
        {next === null || step === null ? (
          <Button variant="primary" onPress={closeGuide}>
            {t('close')}
          </Button>
        ) : (
          <>
            {isHere ? null : (
              <Button variant="primary" icon={ArrowRight} onPress={act}>
                {isElsewhere && next === 'sandbox'
                  ? t('guide.sandbox.elsewhere.do')
                  : t(`guide.${next}.do`, names)}
              </Button>
            )}
            {done.has(step) ? null : (
              <Button variant="quiet" onPress={() => skipStep(step)}>
                {t('guide.skip')}
              </Button>
            )}
            <IconButton name={t('guide.close')} icon={<X size={16} />} onPress={closeGuide} />
          </>
        )}
      </span>
    </section>
  );
};
