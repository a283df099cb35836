import { readFileSync } from 'node:fs';
import { app, Menu, nativeImage, Notification, Tray, type BrowserWindow, type NativeImage } from 'electron';
import type { Notification as Words, Tray as TrayWords } from '../app/common/system.ts';
import { trayIconImages } from './tray-icon.ts';

/** Shows the tray, the badge and notifications. */

const isMac = process.platform === 'darwin';

const pictureOf = (needsAttention: boolean): NativeImage => {
  const picture = nativeImage.createEmpty();
  const state = needsAttention ? 'attention' : 'normal';
  for (const { scaleFactor, file } of trayIconImages(isMac ? 'template' : 'colour', state))
    picture.addRepresentation({
      scaleFactor,
      dataURL: `data:image/png;base64,${readFileSync(file, 'base64')}`,
    });
  if (isMac) picture.setTemplateImage(true);
  return picture;
};

/** Limit of notifications that stay clickable: what Windows keeps in its notification centre of one application. */
const maxShown = 20;

type TrayActions = { open: () => void; newPayment: () => void; quit: () => void };

/** `window` returns the console's window, if any; `actions` are those of the tray's menu. */
export const createOsIntegration = (window: () => BrowserWindow | null, actions: TrayActions) => {
  let tray: Tray | null = null;
  /** Referenced until removed, oldest first: a garbage-collected notification would not react to a click. */
  const shown = new Set<Notification>();
  const keep = (notification: Notification): void => {
    shown.add(notification);
    for (const oldest of shown) {
      if (shown.size <= maxShown) break;
      shown.delete(oldest);
      oldest.close();
    }
  };

  let last: TrayWords | null = null;
  /** The overlay badge on the window's taskbar button, Windows only. */
  const showBadge = (): void => {
    if (process.platform !== 'win32' || last === null) return;
    window()?.setOverlayIcon(last.count > 0 ? pictureOf(true) : null, last.tooltip);
  };

  const showTray = (words: TrayWords): void => {
    last = words;
    app.setBadgeCount(words.count);
    const picture = pictureOf(words.count > 0);
    showBadge();
    if (!words.icon) {
      tray?.destroy();
      tray = null;
      return;
    }
    if (tray) tray.setImage(picture);
    else {
      tray = new Tray(picture);
      tray.on('click', actions.open);
    }
    tray.setToolTip(words.tooltip);
    if (isMac) tray.setTitle(words.count > 0 ? `${words.count}${words.more ? '+' : ''}` : '');
    tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: words.open, click: actions.open },
        { label: words.newPayment, click: actions.newPayment },
        { type: 'separator' },
        { label: words.quit, click: actions.quit },
      ]),
    );
  };

  return {
    /** Whether there is an icon that opens the window again. */
    hasTray: (): boolean => tray !== null,
    /** Shows the badge on a window created since. */
    refreshBadge: showBadge,
    showTray: (words: TrayWords): void => {
      try {
        showTray(words);
      } catch {
        // A desktop without a tray shows none.
      }
    },
    showNotification: (words: Words, onPress: () => void): void => {
      if (!Notification.isSupported()) return;
      const notification = new Notification({ ...words });
      keep(notification);
      notification.on('click', () => {
        onPress();
        actions.open();
      });
      notification.on('close', ({ reason }) => {
        // Only its banner has gone: Windows keeps it in the notification centre, where it can be clicked.
        if (reason !== 'timedOut') shown.delete(notification);
      });
      notification.show();
    },
    close: (): void => {
      tray?.destroy();
      // After the end nothing would open their payments.
      for (const notification of shown) notification.close();
    },
  };
};
