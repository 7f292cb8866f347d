// The log in memory keeps the contract of all logs.
import { describeEventLog, openMemorySubject } from '#testing';

describeEventLog('the log in memory', async () => openMemorySubject());
