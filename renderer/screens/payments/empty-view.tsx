import { Footprints, Inbox, ListTree, Plus } from 'lucide-react';
import { Button } from '../../components/controls/button.tsx';
import { Empty } from '../../components/display/note.tsx';
import type { View } from '../../routes.ts';
import { useSingleKeys } from '../../stores/app-state-store.ts';
import { openGuide } from '../../queries/guide.ts';
import { go } from '../../stores/route-store.ts';
import { useText } from '../../i18n/text.ts';

/** A view without payments: its purpose, and where to go instead. */
export const EmptyView = ({ view }: { view: View }) => {
  const t = useText();
  const singleKeys = useSingleKeys();
  const raise = (
    <Button
      variant="primary"
      icon={<Plus size={16} />}
      {...(singleKeys ? { keys: 'N' } : {})}
      onPress={() => go({ screen: 'new' })}
    >
      {t('nav.new')}
    </Button>
  );
  const elsewhere = {
    all: (
      <Button icon={<Footprints size={16} />} onPress={openGuide}>
        {t('guide.name')}
      </Button>
    ),
    today: null,
    open: null,
    'unpaid-today': (
      <Button
        icon={<ListTree size={16} />}
        onPress={() => go({ screen: 'payments', view: 'all', words: '' })}
      >
        {t('view.all')}
      </Button>
    ),
  }[view];
  return (
    <Empty
      icon={<Inbox size={28} />}
      title={t(`empty.${view}`)}
      action={
        <div className="line wrap">
          {view === 'unpaid-today' ? null : raise}
          {elsewhere}
        </div>
      }
    >
      {t(`empty.${view}.text`)}
    </Empty>
  );
};
