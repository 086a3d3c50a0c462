// Names of topics and filters of names, by the rules of MQTT (OASIS MQTT 5.0 §4.7), and within bounds of ours.
import { fail } from '@sluice/contract';

/** Bytes of a topic; the protocol allows 65,535. */
export const maxTopic = 1_024;
/** Levels of a topic. */
const maxLevels = 64;

/** A topic that is published to: no wildcards, and none of the broker's own. */
export function readTopicName(input: unknown): string {
  const topic = readTopic(input);
  if (/[+#]/.test(topic)) throw fail('message.badTopic', { problem: 'a message goes to one topic, without + and #' });
  if (topic.startsWith('$')) throw fail('message.badTopic', { problem: 'what begins with $ is the broker’s own' });
  return topic;
}

/** Topics that are subscribed to: `+` stands for one level, `#` at the end for any number of them. */
export function readTopicFilter(input: unknown): string {
  const filter = readTopic(input);
  const levels = filter.split('/');
  const isWellFormed = levels.every(
    (level, index) => level === '+' || (level === '#' && index === levels.length - 1) || !/[+#]/.test(level),
  );
  if (!isWellFormed)
    throw fail('message.badTopic', { problem: '+ stands for a whole level, # for all levels at the end' });
  // Of a shared subscription each message goes to one of its clients alone.
  if (levels[0] === '$share') throw fail('message.badTopic', { problem: 'shared subscriptions are not offered' });
  return filter;
}

function readTopic(input: unknown): string {
  if (typeof input !== 'string' || input === '') throw fail('message.noTopic');
  if (/\p{Surrogate}/u.test(input)) throw fail('message.badTopic', { problem: 'it is no text' });
  if (/\p{Cc}|[\ufdd0-\ufdef\ufffe\uffff]/u.test(input))
    throw fail('message.badTopic', { problem: 'it holds a control character' });
  if (Buffer.byteLength(input) > maxTopic || input.split('/').length > maxLevels)
    throw fail('message.badTopic', { problem: `it has more than ${maxTopic} bytes or ${maxLevels} levels` });
  return input;
}

/** Whether a filter stands for a topic. */
export function matchesTopic(filter: string, topic: string): boolean {
  // Wildcards do not stand for what is the broker's own.
  if (topic.startsWith('$') && /^[+#]/.test(filter)) return false;
  const [wanted, levels] = [filter.split('/'), topic.split('/')];
  for (const [index, level] of wanted.entries()) {
    if (level === '#') return true;
    if (index >= levels.length || (level !== '+' && level !== levels[index])) return false;
  }
  return wanted.length === levels.length;
}
