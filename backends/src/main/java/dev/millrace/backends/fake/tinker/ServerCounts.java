package dev.millrace.backends.fake.tinker;

/**
 * What a fake server has done.
 *
 * @param forwardBackwards gathered gradients
 * @param optimSteps updates
 * @param saves trainer states kept
 * @param publications kept
 * @param loadedModels adapters that are loaded now
 * @param createdModels adapters that were ever made
 */
public record ServerCounts(
        int forwardBackwards,
        int optimSteps,
        int saves,
        int publications,
        int loadedModels,
        int createdModels) {}
