package org.fleetgrad.optim;

/**
 * The kind of optimizer and its hyperparameters, with the names and ranges of {@code torch.optim}.
 *
 * <p>The learning rate is not among them: it is passed to each step. A float stands for the decimal it was written as,
 * so that {@code 0.999f} trains like Python's {@code 0.999}. In the formulas {@code p} is a parameter, {@code g} its
 * gradient, {@code lr} the learning rate and {@code t} the number of the step, from 1.
 */
public sealed interface OptimizerSettings {

    /** PyTorch's beta1 of Adam and AdamW. */
    float BETA1 = 0.9f;

    /** PyTorch's beta2 of Adam and AdamW. */
    float BETA2 = 0.999f;

    /** PyTorch's epsilon of Adam and AdamW. */
    float EPSILON = 1e-8f;

    /** PyTorch's weight decay of AdamW. */
    float DECOUPLED_DECAY = 0.01f;

    /** Prints the settings as {@link OptimizerSpec#parse} reads them, such as {@code sgd:momentum=0.9,nesterov=true}. */
    @Override
    String toString();

    /** Returns the weight decay. */
    float weightDecay();

    /** Returns how many {@link OptimizerState#buffers} the optimizer has. */
    int bufferCount();

    /**
     * Stochastic gradient descent, {@code torch.optim.SGD}.
     *
     * <pre>
     * d = g + weightDecay p
     * b = d                                   in the first step
     * b = momentum b + (1 - dampening) d      in any later one
     * p = p - lr d                            without momentum
     * p = p - lr b                            with momentum
     * p = p - lr (d + momentum b)             with Nesterov's
     * </pre>
     *
     * <p>Sutskever, Martens, Dahl and Hinton, "On the importance of initialization and momentum in deep learning", ICML
     * 2013; PyTorch's form multiplies the learning rate outside the momentum buffer {@code b}.
     *
     * @param momentum    share of the momentum buffer that is retained; 0 for no momentum
     * @param dampening   share of the gradient that does not enter the momentum buffer
     * @param nesterov    whether to look ahead along the momentum; needs a momentum and no dampening
     * @param weightDecay factor of the L2 penalty's gradient
     */
    record SgdSettings(float momentum, float dampening, boolean nesterov, float weightDecay)
            implements OptimizerSettings {

        public SgdSettings {
            Checks.notNegative("momentum", momentum);
            Checks.finite("dampening", dampening);
            Checks.notNegative("weight decay", weightDecay);
            if (nesterov && (momentum == 0 || dampening != 0)) {
                throw new IllegalArgumentException(
                        "Nesterov momentum needs a momentum of more than 0 and a dampening of 0; they are %s and %s"
                                .formatted(momentum, dampening));
            }
        }

        @Override
        public String toString() {
            return new SpecWriter("sgd")
                    .unless(0f, "momentum", momentum)
                    .unless(0f, "dampening", dampening)
                    .flag("nesterov", nesterov)
                    .unless(0f, "weight-decay", weightDecay)
                    .toString();
        }

        @Override
        public int bufferCount() {
            return momentum == 0 ? 0 : 1;
        }
    }

    /**
     * Adam with the weight decay as an L2 penalty, {@code torch.optim.Adam}.
     *
     * <pre>
     * d = g + weightDecay p
     * m = beta1 m + (1 - beta1) d
     * v = beta2 v + (1 - beta2) d^2
     * u = v                                   without AMSGrad
     * u = max(u, v)                           with AMSGrad
     * p = p - lr / (1 - beta1^t) m / (sqrt(u) / sqrt(1 - beta2^t) + epsilon)
     * </pre>
     *
     * <p>Kingma and Ba, "Adam: A method for stochastic optimization", ICLR 2015; AMSGrad: Reddi, Kale and Kumar, "On
     * the convergence of Adam and beyond", ICLR 2018.
     *
     * @param beta1       decay of the gradient's running average {@code m}, in [0, 1)
     * @param beta2       decay of the squared gradient's running average {@code v}, in [0, 1)
     * @param epsilon     added to the denominator
     * @param weightDecay factor of the L2 penalty's gradient
     * @param amsgrad     whether to divide by the largest {@code v} so far
     */
    record AdamSettings(float beta1, float beta2, float epsilon, float weightDecay, boolean amsgrad)
            implements OptimizerSettings {

        public AdamSettings {
            checkAdam(beta1, beta2, epsilon, weightDecay);
        }

        @Override
        public String toString() {
            return printAdam("adam", beta1, beta2, epsilon)
                    .unless(0f, "weight-decay", weightDecay)
                    .flag("amsgrad", amsgrad)
                    .toString();
        }

        @Override
        public int bufferCount() {
            return amsgrad ? 3 : 2;
        }
    }

    /**
     * Adam with decoupled weight decay, {@code torch.optim.AdamW}: {@link AdamSettings Adam} with {@code d = g}, after
     *
     * <pre>
     * p = (1 - lr weightDecay) p
     * </pre>
     *
     * <p>Loshchilov and Hutter, "Decoupled weight decay regularization", ICLR 2019; PyTorch's form scales the decay by
     * the learning rate.
     *
     * @param beta1       decay of the gradient's running average, in [0, 1)
     * @param beta2       decay of the squared gradient's running average, in [0, 1)
     * @param epsilon     added to the denominator
     * @param weightDecay share of the parameters that a step with learning rate 1 would take away
     * @param amsgrad     whether to divide by the largest running average of the squared gradient so far
     */
    record AdamWSettings(float beta1, float beta2, float epsilon, float weightDecay, boolean amsgrad)
            implements OptimizerSettings {

        public AdamWSettings {
            checkAdam(beta1, beta2, epsilon, weightDecay);
        }

        @Override
        public String toString() {
            return printAdam("adamw", beta1, beta2, epsilon)
                    .unless(DECOUPLED_DECAY, "weight-decay", weightDecay)
                    .flag("amsgrad", amsgrad)
                    .toString();
        }

        @Override
        public int bufferCount() {
            return amsgrad ? 3 : 2;
        }
    }

    private static void checkAdam(float beta1, float beta2, float epsilon, float weightDecay) {
        Checks.belowOne("beta1", beta1);
        Checks.belowOne("beta2", beta2);
        Checks.notNegative("epsilon", epsilon);
        Checks.notNegative("weight decay", weightDecay);
    }

    private static SpecWriter printAdam(String name, float beta1, float beta2, float epsilon) {
        return new SpecWriter(name)
                .unless(BETA1, "beta1", beta1)
                .unless(BETA2, "beta2", beta2)
                .unless(EPSILON, "epsilon", epsilon);
    }
}
