package org.fleetgrad.simulation.world;

import java.io.IOException;
import java.time.Clock;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import org.fleetgrad.protocol.work.Cursor;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.parameters.Gradient;
import org.fleetgrad.ps.persistence.JournalEntry;
import org.fleetgrad.ps.persistence.TrainingState;
import org.fleetgrad.ps.persistence.TrainingStore;
import org.fleetgrad.ps.training.LedgerOf;
import org.fleetgrad.ps.training.Training;
import org.fleetgrad.ps.work.WorkQueue;
import org.fleetgrad.simulation.disk.ForgetfulDisk;
import org.fleetgrad.simulation.server.Faults;

/** A fault that tests put into a world, to see that it is found. None of them is in the program. */
enum Mutant implements Faults {
    /** The program as it is. */
    NONE,

    /** The disk confirms what it is told to force, and does not. */
    NO_FSYNC {
        @Override
        public void prepare(ForgetfulDisk disk) {
            disk.skipForce();
        }
    },

    /** A push is answered before its entry is forced. */
    ANSWER_BEFORE_COMMIT {
        @Override
        public TrainingStore store(TrainingStore store, ForgetfulDisk disk) {
            return new FaultyStore(store) {
                @Override
                public void commit() {}
            };
        }
    },

    /** The server takes every push as a new one. */
    NO_DEDUPLICATION {
        @Override
        public void handled(Training training) {
            LedgerOf.forget(training);
        }
    },

    /** A checkpoint lacks how pushes were answered. */
    LEDGER_FORGETS {
        @Override
        public TrainingStore store(TrainingStore store, ForgetfulDisk disk) {
            return new FaultyStore(store) {
                @Override
                TrainingState recovered(TrainingState state) {
                    return withoutAnswers(state);
                }
            };
        }
    },

    /** A lease never ends. */
    LEASE_OF_THE_DEAD {
        @Override
        public Clock ofLeases(Clock steady, Clock timeOfDay) {
            return Clock.fixed(steady.instant(), steady.getZone());
        }
    },

    /** A lease ends by a clock that may be set back. */
    LEASE_BY_TIME_OF_DAY {
        @Override
        public Clock ofLeases(Clock steady, Clock timeOfDay) {
            return timeOfDay;
        }
    },

    /** A checkpoint lacks the shards that were added to the work. */
    ADDED_WORK_FORGOTTEN {
        @Override
        public TrainingStore store(TrainingStore store, ForgetfulDisk disk) {
            return new FaultyStore(store) {
                @Override
                TrainingState recovered(TrainingState state) {
                    return withWork(state, state.work().map(Mutant::withoutAdded));
                }
            };
        }
    },

    /** A rollback leaves the work as it is. */
    ROLLBACK_WITHOUT_WORK {
        @Override
        public TrainingStore store(TrainingStore store, ForgetfulDisk disk) {
            return new FaultyStore(store) {
                @Override
                public TrainingState read(long checkpoint) throws IOException {
                    return withWork(super.read(checkpoint), Optional.empty());
                }
            };
        }
    },

    /** The journal says that a gradient reached further than it did. */
    CURSOR_AHEAD {
        @Override
        public TrainingStore store(TrainingStore store, ForgetfulDisk disk) {
            return new FaultyStore(store) {
                @Override
                JournalEntry written(JournalEntry entry) {
                    if (!(entry instanceof JournalEntry.Taken taken)) {
                        return entry;
                    }
                    Gradient gradient = taken.gradient();
                    return new JournalEntry.Taken(
                            new Gradient(
                                    gradient.metadata()
                                            .reaching(
                                                    gradient.metadata().cursor().map(Mutant::further)),
                                    gradient.values()),
                            taken.makesStep());
                }
            };
        }
    },

    /** A server applies its part of a gradient without the lead's word. */
    NO_WORD_OF_THE_LEAD {
        @Override
        public String path(int server, String pathAndQuery) {
            return server > 0 ? pathAndQuery.replace("?stage=true", "") : pathAndQuery;
        }
    },

    /** A journal whose last write was torn counts as damaged. */
    TORN_TAIL_IS_DAMAGE {
        @Override
        public TrainingStore store(TrainingStore store, ForgetfulDisk disk) {
            return new FaultyStore(store) {
                @Override
                public void recover(Replay replay) throws IOException {
                    if (disk.isTorn()) {
                        throw new IOException("the journal is damaged");
                    }
                    super.recover(replay);
                }
            };
        }
    };

    private static TrainingState withoutAnswers(TrainingState state) {
        return with(state, Map.of(), state.work());
    }

    private static TrainingState withWork(TrainingState state, Optional<WorkQueue.State> work) {
        return with(state, state.answers(), work);
    }

    private static TrainingState with(
            TrainingState state, Map<String, NavigableMap<Long, PushOutcome>> answers, Optional<WorkQueue.State> work) {
        return new TrainingState(
                state.version(),
                state.layout(),
                state.metadata(),
                state.parameters(),
                state.optimizer(),
                state.pending(),
                state.staged(),
                answers,
                state.clocks(),
                state.members(),
                state.counts(),
                state.history(),
                work,
                state.course());
    }

    private static WorkQueue.State withoutAdded(WorkQueue.State work) {
        return new WorkQueue.State(
                work.plan(), work.next(), work.samples(), work.open(), work.holders(), Optional.empty());
    }

    private static Cursor further(Cursor cursor) {
        return cursor.sample() % 4 == 2 ? cursor.plus(WorkersPlan.BATCH_SIZE) : cursor;
    }
}
