import { describe, expect, it } from 'vitest';
import { createEventBus } from './event-bus.js';

const payload = (timestamp: number) => ({
  projectId: 'shop',
  taskId: '42',
  status: 'open' as const,
  assignee: null,
  block_reason: null,
  timestamp,
});

describe('the event bus', () => {
  it('tells listeners of that event in the order in which they came', () => {
    const bus = createEventBus();
    const messages: string[] = [];
    bus.on('task-updated', ({ taskId }) => messages.push(`first ${taskId}`));
    bus.on('memory-stored', () => messages.push('another event'));
    bus.on('task-updated', ({ taskId }) => messages.push(`second ${taskId}`));
    bus.emit('task-updated', payload(1));
    expect(messages).toEqual(['first 42', 'second 42']);
  });

  it('keeps 200 events, and a listener that throws stops no other [US-6.3/9]', () => {
    const errors: unknown[] = [];
    const bus = createEventBus({ onError: (error, event) => errors.push([error, event.name]) });
    let heardCount = 0;
    bus.on('task-updated', () => {
      throw new Error('no');
    });
    bus.on('task-updated', () => heardCount++);
    for (let time = 1; time <= 201; time++) bus.emit('task-updated', payload(time));
    expect(heardCount).toBe(201);
    expect(errors).toHaveLength(201);
    expect(errors[0]).toEqual([new Error('no'), 'task-updated']);
    expect(bus.history()).toHaveLength(200);
    expect(bus.history().at(0)?.payload.timestamp).toBe(2);
    expect(bus.history().at(-1)?.payload.timestamp).toBe(201);
  });

  it('lets listeners leave and come while an event goes round', () => {
    const bus = createEventBus();
    const messages: string[] = [];
    const leaveFirst = bus.on('task-updated', () => {
      messages.push('first');
      leaveFirst();
      leaveThird();
      bus.on('task-updated', () => messages.push('newcomer'));
    });
    bus.on('task-updated', () => messages.push('second'));
    const leaveThird = bus.on('task-updated', () => messages.push('third'));
    bus.emit('task-updated', payload(1));
    expect(messages).toEqual(['first', 'second']);
    bus.emit('task-updated', payload(2));
    expect(messages).toEqual(['first', 'second', 'second', 'newcomer']);
  });

  it('ends one subscription at a time of a listener that came twice', () => {
    const bus = createEventBus();
    let heardCount = 0;
    const listener = () => heardCount++;
    const leave = bus.on('task-updated', listener);
    bus.on('task-updated', listener);
    leave();
    leave();
    bus.emit('task-updated', payload(1));
    expect(heardCount).toBe(1);
  });

  it('gives out a history that does not change afterwards', () => {
    const bus = createEventBus();
    const before = bus.history();
    bus.emit('task-updated', payload(1));
    expect(before).toEqual([]);
  });
});
