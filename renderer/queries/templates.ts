import { create } from 'zustand';
import type { RequestInput } from '../../shared/contract/contract.ts';
import type { AppError } from '../../shared/errors.ts';
import type { ProfileView } from '../../shared/settings/profile.ts';
import type { Template } from '../../shared/payments/template.ts';
import { amountText } from '../../shared/money/format-amount.ts';
import { request } from '../ipc-client.ts';
import { createQuery } from './create-query.ts';
import { useActiveProfileId } from '../stores/app-state-store.ts';
import { useNewPayment } from '../stores/new-payment/new-payment-store.ts';

const templatesQuery = createQuery({
  read: ({ profileId }: { profileId: string }) => request('templates.list', { profileId }),
});

const none: readonly Template[] = [];

/** The templates of the active profile. */
export const useTemplates = (): readonly Template[] => {
  const profileId = useActiveProfileId();
  return templatesQuery.use(profileId === null ? null : { profileId }).value?.templates ?? none;
};

/** Changes of templates. */
type TemplatesState = {
  problem: AppError | null;
  /** The last removed template, while it can be restored. */
  removed: Template | null;
  /** True if it was saved; otherwise `problem` is the reason. */
  save: (template: RequestInput<'templates.save'>) => Promise<boolean>;
  remove: (template: Template) => Promise<void>;
  undo: () => Promise<void>;
  dismiss: () => void;
};

export const useTemplateChanges = create<TemplatesState>()((set, get) => ({
  problem: null,
  removed: null,
  save: async template => {
    const saved = await request('templates.save', template);
    set({ problem: saved.ok ? null : saved.error });
    if (saved.ok) templatesQuery.update({ profileId: template.profileId }, () => saved.value);
    return saved.ok;
  },
  remove: async template => {
    const left = await request('templates.remove', { id: template.id });
    set(left.ok ? { removed: template, problem: null } : { problem: left.error });
    if (left.ok) templatesQuery.update({ profileId: template.profileId }, () => left.value);
  },
  undo: async () => {
    const { removed, save } = get();
    if (removed && (await save(removed))) set({ removed: null });
  },
  dismiss: () => set({ problem: null, removed: null }),
}));

/** Fills the form for a new payment from a template; customer details and the order number stay. */
export const applyTemplate = (template: Template, profile: ProfileView, locale: string): void => {
  const form = useNewPayment.getState();
  // A form that was never opened is opened first: its suggestion arrives later and changes nothing else.
  void form.open(profile);
  const methods = template.methods.filter(method => profile.methods.includes(method));
  useNewPayment.setState({
    amount: template.amount === null ? '' : amountText(template.amount, locale),
    currency: template.currency,
    description: template.description,
    methods: methods.length > 0 ? methods : profile.methods,
    problem: null,
    touched: [],
  });
};
