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
    const heard: string[] = [];
    bus.on('task-updated', ({ taskId }) => heard.push(`first ${taskId}`));
    bus.on('memory-stored', () => heard.push('another event'));
    bus.on('task-updated', ({ taskId }) => heard.push(`second ${taskId}`));
    bus.emit('task-updated', payload(1));
    expect(heard).toEqual(['first 42', 'second 42']);
  });

  it('keeps 200 events, and a listener that throws stops no other [US-6.3/9]', () => {
    const errors: unknown[] = [];
    const bus = createEventBus({ onError: (error, event) => errors.push([error, event.name]) });
    let heard = 0;
    bus.on('task-updated', () => {
      throw new Error('no');
    });
    bus.on('task-updated', () => heard++);
    for (let time = 1; time <= 201; time++) bus.emit('task-updated', payload(time));
    expect(heard).toBe(201);
    expect(errors).toHaveLength(201);
    expect(errors[0]).toEqual([new Error('no'), 'task-updated']);
    expect(bus.history()).toHaveLength(200);
    expect(bus.history().at(0)?.payload.timestamp).toBe(2);
    expect(bus.history().at(-1)?.payload.timestamp).toBe(201);
  });

  it('lets listeners leave and come while an event goes round', () => {
    const bus = createEventBus();
    const heard: string[] = [];
    const leaveFirst = bus.on('task-updated', () => {
      heard.push('first');
      leaveFirst();
      leaveThird();
      bus.on('task-updated', () => heard.push('newcomer'));
    });
    bus.on('task-updated', () => heard.push('second'));
    const leaveThird = bus.on('task-updated', () => heard.push('third'));
    bus.emit('task-updated', payload(1));
    expect(heard).toEqual(['first', 'second']);
    bus.emit('task-updated', payload(2));
    expect(heard).toEqual(['first', 'second', 'second', 'newcomer']);
  });

  it('ends one subscription at a time of a listener that came twice', () => {
    const bus = createEventBus();
    let heard = 0;
    const listener = () => heard++;
    const leave = bus.on('task-updated', listener);
    bus.on('task-updated', listener);
    leave();
    leave();
    bus.emit('task-updated', payload(1));
    expect(heard).toBe(1);
  });

  it('gives out a history that does not change afterwards', () => {
    const bus = createEventBus();
    const before = bus.history();
    bus.emit('task-updated', payload(1));
    expect(before).toEqual([]);
  });
});
