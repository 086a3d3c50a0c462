import { api, queryClient } from '../../api/index.ts';
import { text } from '../../text/index.ts';
import { notify } from '../../ui/index.ts';

/** A cache to flush: that of one service, or of all (C-CFG-07, C-CFG-08). */
export interface CacheToFlush {
  name: string;
  label: string;
}

/** Has the server flush a cache, and reports it; what the console itself has cached is read again too. */
export async function flushCache(service?: CacheToFlush): Promise<void> {
  try {
    await api.delete(service ? `system/cache/${encodeURIComponent(service.name)}` : 'system/cache');
    notify.success(service ? text('config:cache.flushed', { label: service.label }) : text('config:cache.flushedAll'));
    void queryClient.invalidateQueries();
  } catch (error) {
    notify.error('', error);
  }
}
